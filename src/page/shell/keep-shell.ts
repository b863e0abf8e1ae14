import { effect } from '@preact/signals';
import type { App } from '../model/app.ts';

const SCRIPT = '/sw.js';

/** What the page uses of trusted types, where the browser has them. */
interface TrustedTypes {
  createPolicy(name: 'page', rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/**
 * Has a service worker keep the files of the page, and says when there is a new version of them. It is not loaded by
 * itself: somebody may be writing.
 */
export async function keepShell(app: App): Promise<void> {
  const { serviceWorker } = navigator;
  // Where the page is not served safely there is none, and no key either.
  if (serviceWorker === undefined) return;
  serviceWorker.addEventListener('controllerchange', () => void isOld().then((is) => (app.hasUpdate.value = is)));
  const registration = await serviceWorker.register(trusted(SCRIPT), { updateViaCache: 'none' });
  let looked: Promise<unknown> = Promise.resolve();
  effect(() => {
    // After a while without the server it may be another one. A look that begins while another is under way is answered
    // by that, which may have asked the server before.
    if (app.state.value.is === 'live') looked = looked.then(() => registration.update()).catch(() => {});
  });
}

/** The only address that this page makes into code. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('page', {
    createScriptURL: (given) => {
      if (given === SCRIPT) return given;
      throw new TypeError(`${given} is not the service worker`);
    },
  });
  return policy?.createScriptURL(url) ?? url;
}

/** Does the newest kept page load other code than this one? */
async function isOld(): Promise<boolean> {
  const newest = (await caches.keys()).at(-1);
  const kept = newest === undefined ? undefined : await (await caches.open(newest)).match('/', { ignoreVary: true });
  const mine = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src');
  return kept !== undefined && mine != null && !(await kept.text()).includes(mine);
}
