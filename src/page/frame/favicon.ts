const SIZE = 64;
const CALM = '#868e99';
const NEED = '#ffb454';

/** Draws the mark, with a dot if a person is needed, and makes it the icon of the tab. */
export function drawFavicon(isNeeded: boolean): void {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.lineWidth = 8;
  pen.lineCap = 'round';
  pen.strokeStyle = CALM;
  pen.beginPath();
  pen.arc(SIZE / 2, SIZE / 2, 23, -Math.PI / 2, Math.PI * 1.15);
  pen.stroke();
  if (isNeeded) {
    pen.fillStyle = NEED;
    pen.beginPath();
    pen.arc(46, 18, 16, 0, Math.PI * 2);
    pen.fill();
  }
  iconLink().href = canvas.toDataURL('image/png');
}

function iconLink(): HTMLLinkElement {
  const known = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (known !== null) return known;
  const link = document.createElement('link');
  link.rel = 'icon';
  document.head.append(link);
  return link;
}
