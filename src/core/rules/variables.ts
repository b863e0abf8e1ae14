/** Variables that only affect how programs display things. */
const HARMLESS = new Set(
  (
    'CI COLUMNS FORCE_COLOR LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_TIME LINES NODE_ENV NO_COLOR ' +
    'TZ'
  ).split(' '),
);

/** Lower-case names that a shell or its programs act on. */
const SPECIAL = new Set(
  (
    'aliases argv builtins cdpath commands dirstack errnos fignore fpath funcstack functions galiases ' +
    'histchars history keymap keymaps langinfo mailpath manpath mapfile module_path modules nameddirs ' +
    'options parameters patchars path pipestatus prompt psvar reswords saliases signals status sysparams ' +
    'termcap terminfo userdirs usergroups watch widgets zsh_eval_context'
  ).split(' '),
);

/** True for a variable that changes neither which program runs nor what code it loads. */
export function isHarmlessName(name: string): boolean {
  if (HARMLESS.has(name)) return true;
  return /^[a-z][a-z0-9_]*$/.test(name) && !SPECIAL.has(name) && !/_proxy$|^npm_|^dis_/.test(name);
}
