import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { Command } from '../ui/copy.tsx';
import { Mark } from '../ui/mark.tsx';
import { STRINGS } from '../words/strings.ts';

const { signIn } = STRINGS;

/** What a browser without a key sees: how to get one. There is no form, so there is nothing to phish. */
export function SignIn(): VNode {
  const app = useApp();
  const state = app.state.value;
  const why = state.is === 'signed out' ? state.why : 'no key';
  return (
    <main class="sign-in">
      <Mark size={44} />
      <h1>{signIn.title}</h1>
      {why === 'revoked' && <p class="bad-text">{signIn.revoked}</p>}
      <p>{why === 'link spent' ? signIn.bad : signIn.told}</p>
      <Command text={signIn.command} />
      <p class="muted">{signIn.note}</p>
    </main>
  );
}
