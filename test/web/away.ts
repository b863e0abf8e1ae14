import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** A server that nobody may ask, and what a browser asked for besides its own page. */
export class Away implements AsyncDisposable {
  readonly #server: Server;
  /** What reached the server, and what a page asked of anybody else than its own server. */
  readonly asked: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Away> {
    const server = createServer((request, response) => {
      away.asked.push(`the server was asked for ${request.url}`);
      response.end();
    });
    server.on('connect', (_, socket) => {
      away.asked.push('the server was asked to be a proxy');
      socket.destroy();
    });
    const away = new Away(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return away;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Watches the network of a page, below what its own code can see. */
  async watch(page: Page, own: string): Promise<void> {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const keep = (url: string): void => {
      if (!url.startsWith(`${own}/`) && !url.startsWith('data:')) this.asked.push(`the page asked for ${url}`);
    };
    network.on('Network.requestWillBeSent', ({ request }) => keep(request.url));
    network.on('Network.webSocketCreated', ({ url }) => keep(url.replace(/^ws/, 'http')));
    page.on('popup', (popup) => this.asked.push(`the page opened ${popup.url()}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What in a page could run or load something, or leads where a page may not lead: nothing, if all is well. */
export const DANGERS = `(() => {
  const found = [];
  const kinds = 'script, iframe, frame, object, embed, img, picture, video, audio, source, link, base, meta, ' +
    'template, ' +
    'style, form[action], [formaction], [srcdoc], [ping], animate, set, use, foreignObject, image, math';
  for (const each of document.body.querySelectorAll(kinds)) found.push(each.outerHTML.slice(0, 200));
  for (const each of document.querySelectorAll('*'))
    for (const { name, value } of each.attributes) {
      if (/^on/i.test(name)) found.push(name + ' of ' + each.tagName);
      if (/^(?:src|srcset|data|poster|action|background|xlink:href)$/i.test(name) && each.closest('head') === null)
        found.push(name + ' of ' + each.tagName);
      if (name === 'style' && /url\\(|expression|@import/i.test(value)) found.push('style ' + value);
      const isRead = /^(?:title|aria-label|alt|placeholder|datetime|id|class)$/.test(name);
      if (isRead && /[\\u202a-\\u202e\\u2066-\\u2069\\u200b]/.test(value))
        found.push(name + ' hides something: ' + value);
    }
  for (const each of document.querySelectorAll('a[href]')) {
    const href = each.getAttribute('href');
    if (href.startsWith('#/')) continue;
    const url = new URL(href, 'none:');
    if (!['http:', 'https:', 'mailto:'].includes(url.protocol)) found.push('link to ' + href);
    if (each.target !== '_blank' || !each.relList.contains('noopener')) found.push('link without noopener ' + href);
    const where = url.protocol === 'mailto:' ? url.pathname : url.host;
    if (!each.textContent.includes(where)) found.push('link that does not say ' + where + ': ' + each.textContent);
  }
  if (globalThis.owned !== undefined) found.push('code has run');
  return found;
})()`;
