/**
 * Compares two texts line by line (longest common subsequence).
 *
 * @return lines as { sign, text }, with the sign '-' for removed, '+' for added and ' ' for common lines
 */
export function lineDiff(before, after) {
  const a = before.trimEnd().split('\n');
  const b = after.trimEnd().split('\n');
  /** Length of the longest common subsequence of a from i on and b from j on. */
  const common = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i++] });
      j++;
    } else if (j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
      lines.push({ sign: '-', text: a[i++] });
    } else {
      lines.push({ sign: '+', text: b[j++] });
    }
  }
  return lines;
}
