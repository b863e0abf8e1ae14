/** Loads the styles of the places that are not part of the first view, once. */
export function loadPlaceStyles(): Promise<void> {
  loaded ??= loading();
  return loaded;
}

let loaded: Promise<void> | null = null;

function loading(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name=place-styles]')?.content ?? '';
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      // The next place tries again.
      loaded = null;
      link.remove();
      reject(new Error(`${href} cannot be loaded`));
    };
    document.head.append(link);
  });
}
