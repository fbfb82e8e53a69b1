/** The style sheet's colours, for what is painted and not styled. */

const probe = document.createElement('span');
probe.hidden = true;
document.body.append(probe);

/** The value that a custom property such as --ink has in the theme of now. */
export function color(property) {
  probe.style.color = `var(${property})`;
  return getComputedStyle(probe).color;
}

/** How the lines of pipelines are told apart: each has its colour and its dashes. */
export const LINES = [
  { property: '--s1', dash: [] },
  { property: '--s2', dash: [7, 3] },
  { property: '--s3', dash: [2, 2] },
  { property: '--s4', dash: [9, 3, 2, 3] },
  { property: '--s5', dash: [4, 4] },
];
