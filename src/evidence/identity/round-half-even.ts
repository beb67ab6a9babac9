/**
 * Python's `round(x)`: to the nearest integer, a tie to the even one. Latencies and confidence basis points in
 * ZeroModel records are rounded this way.
 */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
