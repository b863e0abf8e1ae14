import { Terminal } from '@xterm/xterm';
import { GRAPHEMES } from '../../base/grapheme-width.ts';
import type { Run, StyledScreen } from '../live/types.ts';
import { inTheme, PALETTES, type Palette } from '../model/palette.ts';

// xterm.js as a keyboard and a screen. It never sees what a program printed: the page draws screens into it, made of
// letters and colours only. So no program reaches the clipboard, the title, the window or the input through it, and it
// is asked nothing that it could answer.

/** What a person types and pastes. */
export interface Typed {
  key(bytes: Uint8Array): void;
  paste(text: string): void;
}

/** A terminal in an element. */
export interface XtermView {
  draw(screen: StyledScreen): void;
  /** While off, keys do nothing. */
  enable(isOn: boolean): void;
  focus(): void;
  /** How many columns and rows would fit. */
  fitting(): { readonly columns: number; readonly rows: number } | null;
  close(): void;
}

const encoder = new TextEncoder();
const FONT_PX = 13;
const FONT_PX_MIN = 7;
const PADDING_PX = 24;
/** The width of a letter of a fixed-width font. */
const COLUMN_EM = 0.605;
const ROWS_MIN = 2;
const COLUMNS_MIN = 10;

/** Opens a terminal in an element. */
export function openXterm(box: HTMLElement, typed: Typed, label: string): XtermView {
  const terminal = openIn(box, label);
  terminal.onData((text) => typed.key(encoder.encode(text)));
  terminal.onBinary((text) => typed.key(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  const unpaste = takePastes(box, (text) => {
    if (terminal.options.disableStdin !== true) typed.paste(text);
  });
  let last: StyledScreen | null = null;
  const draw = (screen: StyledScreen): void => {
    last = screen;
    const { columns, rows } = screen;
    const size = fontSize(box, columns);
    if (terminal.options.fontSize !== size) terminal.options.fontSize = size;
    if (terminal.cols !== columns || terminal.rows !== rows.length) terminal.resize(columns, rows.length);
    terminal.write(drawing(screen, paletteNow()));
  };
  const unwatch = watchTheme(() => {
    terminal.options.theme = themeNow();
    if (last !== null) draw(last);
  });
  return {
    draw,
    enable: (isOn) => {
      terminal.options.disableStdin = !isOn;
    },
    focus: () => terminal.focus(),
    fitting: () => fitting(box, terminal),
    close: () => {
      unwatch();
      unpaste();
      terminal.dispose();
    },
  };
}

function openIn(box: HTMLElement, label: string): Terminal {
  allowStyles();
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    scrollback: 0,
    fontFamily: getComputedStyle(box).getPropertyValue('--mono') || 'monospace',
    fontSize: FONT_PX,
    cursorBlink: false,
    allowProposedApi: true,
    theme: themeNow(),
  });
  terminal.unicode.register(GRAPHEMES);
  terminal.unicode.activeVersion = GRAPHEMES.version;
  terminal.open(box);
  terminal.textarea?.setAttribute('aria-label', label);
  return terminal;
}

/** The terminal of the session knows whether its program wants a paste to be marked: pastes go there whole. */
function takePastes(box: HTMLElement, take: (text: string) => void): () => void {
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '') take(text);
  };
  box.addEventListener('paste', paste, true);
  return () => box.removeEventListener('paste', paste, true);
}

function watchTheme(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', changed);
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    dark.removeEventListener('change', changed);
    chosen.disconnect();
  };
}

/** The sequences that draw a screen: places, colours and letters, and which keys the program wants. */
export function drawing(screen: StyledScreen, palette: Palette): string {
  const { rows, cursor, isCursorApplication, isKeypadApplication } = screen;
  const lines = rows.map(
    (row, i) => `\x1b[${i + 1};1H\x1b[0m\x1b[K${row.map((run) => painted(run, palette)).join('')}`,
  );
  const place = cursor === null ? '\x1b[?25l' : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
  const keys = `\x1b[?1${isCursorApplication ? 'h' : 'l'}\x1b${isKeypadApplication ? '=' : '>'}`;
  // Nothing is seen before all of it is drawn.
  return `\x1b[?2026h\x1b[?7l${lines.join('')}\x1b[0m${keys}${place}\x1b[?2026l`;
}

const CODES = { bold: 1, italic: 3, underline: 4, strike: 9 } as const;

function painted(run: Run, palette: Palette): string {
  const marks = Object.entries(CODES).flatMap(([name, code]) => (run[name as keyof typeof CODES] ? [code] : []));
  const isColoured = run.fg !== undefined || run.bg !== undefined || run.dim || run.inverse || run.invisible;
  const { fg, bg } = inTheme(run, palette);
  const isFilled = run.bg !== undefined || run.inverse === true;
  const colours = isColoured ? [`38;2;${fg.join(';')}`, ...(isFilled ? [`48;2;${bg.join(';')}`] : [])] : [];
  return `\x1b[${[0, ...marks, ...colours].join(';')}m${plain(run.text)}`;
}

/** No character of a program acts on the terminal that shows it. */
function plain(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** As large as all columns fit, if that can be read. */
function fontSize(box: HTMLElement, columns: number): number {
  const fits = Math.floor((box.clientWidth - PADDING_PX) / (columns * COLUMN_EM));
  return Math.min(FONT_PX, Math.max(FONT_PX_MIN, fits));
}

function fitting(box: HTMLElement, terminal: Terminal) {
  const screen = box.querySelector('.xterm-screen')?.getBoundingClientRect();
  if (screen === undefined || screen.width === 0) return null;
  const scale = FONT_PX / (terminal.options.fontSize ?? FONT_PX);
  const columns = Math.floor((box.clientWidth - PADDING_PX) / ((screen.width / terminal.cols) * scale));
  const rows = Math.floor((box.clientHeight - PADDING_PX) / ((screen.height / terminal.rows) * scale));
  return { columns: Math.max(COLUMNS_MIN, columns), rows: Math.max(ROWS_MIN, rows) };
}

function paletteNow(): Palette {
  return isDark() ? PALETTES.dark : PALETTES.light;
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  if (theme === 'dark' || theme === 'light') return theme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

function themeNow() {
  const { text, surface } = paletteNow();
  const cursor = isDark() ? '#a4abb5' : '#565e69';
  return { foreground: text, background: surface, cursor, cursorAccent: surface, selectionBackground: `${cursor}66` };
}

let isAllowed = false;

/** xterm makes style elements for its rows; they need the nonce of the security policy. */
function allowStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (isAllowed || nonce === undefined) return;
  isAllowed = true;
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (name === 'style') element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
}
