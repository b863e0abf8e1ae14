import type { DeviceView } from '../../api/page-shape.ts';

/** The key of this browser, and what the server calls it. */
export interface StoredKey {
  readonly device: DeviceView;
  /** It can sign, and can never be read. */
  readonly key: CryptoKey;
}

const STORE = 'keys';
const ENTRY = 'device';

/** The key that this browser has for this origin; null: none. */
export async function readKey(): Promise<StoredKey | null> {
  const found = await inStore<StoredKey | undefined>('readonly', (store) => store.get(ENTRY));
  return found ?? null;
}

/** Keeps the key; it replaces the one that was there. */
export async function writeKey(stored: StoredKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(stored, ENTRY));
}

/** Forgets the key of this browser. */
export async function deleteKey(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(ENTRY));
}

/** A new key: it signs with P-256 and cannot be exported. Its public half goes to the server. */
export async function newKey(): Promise<{ key: CryptoKey; publicKey: JsonWebKey }> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  return { key: pair.privateKey, publicKey: await crypto.subtle.exportKey('jwk', pair.publicKey) };
}

/** The signature of a text, as the server expects it. */
export async function sign(key: CryptoKey, text: string): Promise<string> {
  const how = { name: 'ECDSA', hash: 'SHA-256' };
  return base64Url(new Uint8Array(await crypto.subtle.sign(how, key, new TextEncoder().encode(text))));
}

/** A value that nobody can guess. */
export function newNonce(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(18)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('outlast', 1);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const done = database.transaction(STORE, mode);
      const request = work(done.objectStore(STORE));
      done.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      done.onabort = () => {
        database.close();
        reject(done.error);
      };
    };
  });
}
