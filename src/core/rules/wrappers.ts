import { mayCalculate } from './builtins.ts';
import { type Inside, innerCommand } from './inside.ts';
import { findInsides, scriptInside, shellInside, xargsInside } from './scripts.ts';
import { isHarmlessName } from './variables.ts';
import type { Word } from './word.ts';

/** How to skip the words before the inner command. Each option is one word, or a word and the one after it. */
interface Wrapper {
  readonly flags?: RegExp;
  readonly takesValue?: RegExp;
  /** Number of own arguments after the options: timeout has one. */
  readonly operands?: number;
  readonly sets?: true;
  /** With these options it runs nothing. */
  readonly idle?: RegExp;
}

/** Programs that only run the command after them: a rule for that command is enough. */
const TRANSPARENT = new Set(['nice', 'nohup', 'stdbuf', 'time', 'timeout', 'xargs']);

// With an empty environment or another PATH, the same name is another program: such options are not known here.
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  nice: { flags: /^(-\d+|-n-?\d+|--adjustment=-?\d+)$/, takesValue: /^-n$/ },
  timeout: {
    flags: /^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=\w+|-[sk]\w+)$/,
    takesValue: /^-[sk]$/,
    operands: 1,
  },
  time: { flags: /^-p$/ },
  stdbuf: { flags: /^(-[ioe][L0-9]\w*|--(input|output|error)=\w+)$/, takesValue: /^-[ioe]$/ },
  setsid: { flags: /^(-[fwc]+|--fork|--wait|--ctty)$/ },
  ionice: { flags: /^(-t|-[cn]\d)$/, takesValue: /^-[cn]$/ },
  command: { idle: /^-[vV]$/ },
  builtin: {},
  exec: { flags: /^-l$/, takesValue: /^-a$/ },
  env: { flags: /^(-0|--null)$/, sets: true },
  sudo: { flags: /^(-[nEHkbS]+|--non-interactive)$/, takesValue: /^-[ug]$/, sets: true },
  doas: { flags: /^-n$/, takesValue: /^-u$/ },
};

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'rbash']);
const SCRIPTS = new Set(['eval', 'trap']);

/** Programs that run their arguments as commands, each in its own way. */
const RUNNERS = new Set(
  (
    '. at batch bwrap busybox chroot dbus-run-session entr expect fakeroot firejail flock ' +
    'ltrace nsenter parallel pkexec proot run-parts runuser screen script setarch setpriv source ' +
    'start-stop-daemon strace su systemd-run taskset tmux toybox unbuffer unshare watch xvfb-run'
  ).split(' '),
);

/** Builtins that change what later words in the same shell mean. */
const CHANGERS = new Set(
  (
    'alias autoload bind compdef compgen complete declare disable emulate enable export fc float functions getopts ' +
    'hash integer let local mapfile read readarray readonly set setopt shift shopt typeset unalias unset unsetopt ' +
    'vared zmodload zstyle'
  ).split(' '),
);

/** The commands that this command would run, as far as its words show. */
export function insidesOf(words: readonly Word[]): readonly Inside[] {
  const name = baseName(words[0]?.value ?? '');
  if (Object.hasOwn(WRAPPERS, name)) return wrapped(WRAPPERS[name] ?? {}, name, words);
  if (SHELLS.has(name)) return [shellInside(words)];
  if (SCRIPTS.has(name)) return scriptInside(name, words);
  if (name === 'xargs') return [xargsInside(words)];
  if (name === 'find' || name === 'gfind') return findInsides(words);
  if (RUNNERS.has(name)) return [{ is: 'unknown', at: 1, why: `${name} runs commands of its own` }];
  if (CHANGERS.has(name)) return [{ is: 'unknown', at: 1, why: `${name} can change what later commands mean` }];
  return mayCalculate(name, words.slice(1)) ? [{ is: 'unknown', at: 1, why: `how ${name} evaluates its words` }] : [];
}

/** True for a program that only runs the command after it, found on PATH under its own name. */
export function isTransparent(words: readonly Word[]): boolean {
  return TRANSPARENT.has(words[0]?.value ?? '');
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function wrapped(wrapper: Wrapper, name: string, words: readonly Word[]): readonly Inside[] {
  const unknown = (at: number, why: string): Inside[] => [{ is: 'unknown', at, why: `${name}: ${why}` }];
  let at = 1;
  let operands = wrapper.operands ?? 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || !word.isCertain) return unknown(at, 'which program it runs');
    const { value } = word;
    if (wrapper.idle?.test(value)) return [];
    if (wrapper.takesValue?.test(value)) at += 1;
    else if (value === '--' && operands === (wrapper.operands ?? 0)) continue;
    else if (wrapper.flags?.test(value)) continue;
    else if (value.startsWith('-')) return unknown(at, `the option ${value}`);
    else if (wrapper.sets && /^\w+=/.test(value)) {
      const set = value.slice(0, value.indexOf('='));
      if (!isHarmlessName(set)) return unknown(at, `${set} is set, which can change what a command does`);
    } else if (operands > 0) operands -= 1;
    else return [innerCommand(words, at)];
  }
  return at > words.length ? unknown(1, 'an option without its value') : [];
}
