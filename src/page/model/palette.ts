/** The sixteen named colours of a terminal are those of the theme; the others have fixed places in a cube. */
export function paletteColour(colour: number | string): string {
  if (typeof colour === 'string') return /^#[0-9a-f]{6}$/i.test(colour) ? colour : 'currentColor';
  if (colour < 16) return `var(--ansi-${colour})`;
  if (colour >= 232) return grey(8 + (colour - 232) * 10);
  const place = colour - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const levels = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level);
  return `rgb(${levels.join(' ')})`;
}

function grey(level: number): string {
  return `rgb(${level} ${level} ${level})`;
}
