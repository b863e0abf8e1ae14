/** Loads the styles of the views that are not part of the first one, once. */
export function loadLaterStyles(): Promise<void> {
  loaded ??= loading();
  return loaded;
}

let loaded: Promise<void> | null = null;

function loading(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name=later-styles]')?.content ?? '';
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      // The next view tries again.
      loaded = null;
      link.remove();
      reject(new Error(`${href} cannot be loaded`));
    };
    document.head.append(link);
  });
}
