/** Colors of the style sheet, for canvases. */

const probe = document.createElement('span');
probe.hidden = true;
document.body.append(probe);

/** Returns the value of a custom property, such as --ink, in the current theme. */
export function color(property) {
  probe.style.color = `var(${property})`;
  return getComputedStyle(probe).color;
}

/** Styles of lines: each has its own color and dashes, so that color alone distinguishes none. */
export const LINES = [
  { property: '--s1', dash: [] },
  { property: '--s2', dash: [7, 3] },
  { property: '--s3', dash: [2, 2] },
  { property: '--s4', dash: [9, 3, 2, 3] },
  { property: '--s5', dash: [4, 4] },
];
