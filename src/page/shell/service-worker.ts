// The service worker: keeps the files of the page, so that it opens without a network. What the page shows never comes
// here: nothing is kept but the files of the build, and those are fetched once, when it is installed.

/** An event that lasts until something is done. */
interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** What a service worker has that a page has not. */
interface ServiceScope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listen: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listen: (event: Fetching) => void): void;
}

/** The paths of the files, and a hash of them: the build says both. */
declare const SHELL_FILES: readonly string[];
declare const SHELL_HASH: string;

const PREFIX = 'shell-';
/** Every address of the page is the same file. */
const PAGE = '/';
const HASHED = '/assets/';
/** A network that swallows what is sent must not keep the page from opening. */
const NETWORK_MS_MAX = 4_000;
const HOW = { ignoreVary: true } as const;

const own = globalThis as unknown as ServiceScope;

own.addEventListener('install', (event) => event.waitUntil(install()));
own.addEventListener('activate', (event) => event.waitUntil(activate()));
own.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith(HASHED)) event.respondWith(file(request));
});

/** It replaces the one before at once: an open page finds its own files in the cache that is kept for it. */
async function install(): Promise<void> {
  const cache = await caches.open(PREFIX + SHELL_HASH);
  const fresh = { cache: 'no-cache', credentials: 'omit' } as const;
  await cache.addAll([PAGE, ...SHELL_FILES].map((path) => new Request(path, fresh)));
  await own.skipWaiting();
}

/** Keeps the files of this version and of the one before, which an open page may still need. */
async function activate(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const others = names.filter((name) => name !== PREFIX + SHELL_HASH);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await own.clients.claim();
}

/** The page from the network, so that it is the newest; from here if nobody answers, or only something in between. */
async function page(request: Request): Promise<Response> {
  const signal = AbortSignal.timeout(NETWORK_MS_MAX);
  const answer = await fetch(request, { signal }).catch(() => null);
  if (answer !== null && answer.status < 500) return answer;
  const cache = await caches.open(PREFIX + SHELL_HASH);
  return (await cache.match(PAGE, HOW)) ?? answer ?? Response.error();
}

/** A file whose name has a hash of its content: it never changes. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request, HOW)) ?? fetch(request);
}
