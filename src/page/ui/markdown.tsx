import type { Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { readMarkdown } from '../model/markdown.ts';
import { visibleLine } from '../words/visible.ts';
import { Safe } from './safe.tsx';

/**
 * Markdown as elements. It is read into tokens, and each kind of token that is known has an element; no text becomes
 * HTML, and nothing is loaded. Links lead to http, https and mailto only, and show where they lead.
 */
export function Markdown({ text }: { readonly text: string }): VNode {
  return useMemo(() => {
    const tokens = readMarkdown(text);
    return (
      <div class={`markdown ${tokens === null ? 'as-it-is' : ''}`}>
        {tokens === null ? <Safe text={text} /> : blocks(tokens)}
      </div>
    );
  }, [text]);
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token) => block(token));
}

function block(token: Token): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading token={token as Tokens.Heading} />;
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'list':
      return <List token={token as Tokens.List} />;
    case 'code':
      return <CodeBlock token={token as Tokens.Code} />;
    case 'table':
      return <Table token={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'text':
      return 'tokens' in token ? inlines(token.tokens) : <Safe text={token.raw} />;
    default:
      // Raw HTML among others: it is shown as what was written.
      return (
        <p>
          <Safe text={token.raw.trimEnd()} />
        </p>
      );
  }
}

/** The page has headings of its own above: those of a reply are below them. */
function Heading({ token }: { readonly token: Tokens.Heading }): VNode {
  const inside = inlines(token.tokens);
  if (token.depth <= 1) return <h3>{inside}</h3>;
  return token.depth === 2 ? <h4>{inside}</h4> : <h5>{inside}</h5>;
}

function List({ token }: { readonly token: Tokens.List }): VNode {
  const items = token.items.map((item) => (
    <li class={item.task ? 'check' : undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} disabled aria-label={visibleLine(item.text)} />
      )}
      {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ));
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function CodeBlock({ token }: { readonly token: Tokens.Code }): VNode {
  return (
    <pre tabIndex={0}>
      <code>
        <Safe text={token.text} />
      </code>
    </pre>
  );
}

function Table({ token }: { readonly token: Tokens.Table }): VNode {
  return (
    <div class="table" tabIndex={0} role="group">
      <table>
        <thead>
          <tr>
            {token.header.map(({ tokens }) => (
              <th>{inlines(tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row) => (
            <tr>
              {row.map(({ tokens }) => (
                <td>{inlines(tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(tokens: readonly Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map((token) => inline(token));
}

function inline(token: Token): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens)}</em>;
    case 'del':
      return <del>{inlines(token.tokens)}</del>;
    case 'codespan':
      return (
        <code>
          <Safe text={(token as Tokens.Codespan).text} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <Link token={token as Tokens.Link} />;
    case 'escape':
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        inlines(token.tokens)
      ) : (
        <Safe text={(token as Tokens.Text).text} />
      );
    default:
      // A picture is never loaded, and HTML is text.
      return <Safe text={token.raw} />;
  }
}

function Link({ token }: { readonly token: Tokens.Link }): VNode {
  const target = linkTarget(token.href);
  if (target === null) return <Safe text={token.raw} />;
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer">
      {inlines(token.tokens)}
      {!saysWhere(token.text, target) && (
        <span class="host">
          {' '}
          (<Safe text={target.where} />)
        </span>
      )}
    </a>
  );
}

/** A link that may be opened, and the host or the address of mail that it leads to. */
export interface LinkTarget {
  readonly href: string;
  readonly where: string;
}

/** Where a link leads; null: nowhere that this page may open. */
export function linkTarget(href: string): LinkTarget | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  if (url.protocol === 'mailto:') return { href: url.href, where: url.pathname };
  return url.protocol === 'https:' || url.protocol === 'http:' ? { href: url.href, where: url.host } : null;
}

/** Does the text of a link begin with where it really leads? What stands before an @, or looks like it, does not. */
export function saysWhere(text: string, { href, where }: LinkTarget): boolean {
  const bare = text.replace(/^(?:https?:\/\/|mailto:)/, '');
  const isWhole = bare.startsWith(where) && /^(?:$|[/?#])/.test(bare.slice(where.length));
  return isWhole && href.replace(/^(?:https?:\/\/|mailto:)/, '').startsWith(where);
}
