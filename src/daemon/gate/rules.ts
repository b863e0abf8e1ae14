import { readFileSync, realpathSync } from 'node:fs';
import * as path from 'node:path';
import type { SessionActions } from '../../agent/seam/actions.ts';
import type { AskedCall } from '../../agent/seam/gate.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { writeDurably } from '../../base/files.ts';
import { causeText } from '../../base/system-errors.ts';
import type { Ruling } from '../../core/approval.ts';
import { noWriting, parseRules } from '../../core/rules/grammar.ts';
import { judge } from '../../core/rules/judge.ts';
import { realOf } from '../../core/rules/real.ts';
import type { Call, Rule, RuleTexts } from '../../core/rules/rules.ts';
import type { AddedRule, Session } from '../../core/session.ts';

export interface GateRulesParts {
  readonly state: string;
  /** The rules of the config, for all sessions of the host. */
  readonly config: () => RuleTexts;
  /** The home folder of the person who started the session. */
  readonly home: (session: Session) => string;
  /** What a tool call of the session's agent would do. */
  readonly actions: SessionActions;
}

const OWN_FILES = ['rules.json', 'gates.json', 'outlast.db*', 'lock.db*', 'trust/**', 'sessions/*/runs/**'];

type Asked = Pick<AskedCall, 'tool' | 'input' | 'cwd'>;

/** Rules that were kept for a workspace, by its real path. */
type Kept = Readonly<Record<string, { readonly allow: readonly string[]; readonly deny: readonly string[] }>>;

/** Everything that decides about tool calls without asking: the config, kept rules, the session's own. */
export class GateRules {
  readonly #parts: GateRulesParts;
  #kept: Kept | null = null;

  constructor(parts: GateRulesParts) {
    this.#parts = parts;
  }

  /** How the rules decide a call of this session. A call that cannot be judged is asked about. */
  judge(session: Session, asked: Asked): Ruling {
    const { verdict, rule, why } = judge(this.#rulesOf(session), this.callOf(session, asked), this.#ownRules());
    return { verdict, rule: rule === null ? null : `${rule.effect} ${rule.text}`, why };
  }

  /** A call of this session as rules see it, with its paths resolved now. */
  callOf(session: Session, { tool, input, cwd }: Asked): Call {
    const { workspace } = session.spec;
    const home = this.#parts.home(session);
    const place = { workspace, home, ...(cwd === null ? {} : { cwd }) };
    const actions = this.#parts.actions(session, tool, input);
    return { tool, actions, ...place, real: realOf(actions, place, { ...path, realpath: realpathSync }) };
  }

  /** Keeps a rule for all sessions in this workspace, from now on. */
  keep(workspace: string, { effect, text }: AddedRule): void {
    const key = realOfWorkspace(workspace);
    const kept = this.#read();
    const own = kept[key] ?? { allow: [], deny: [] };
    if (own[effect].includes(text)) return;
    this.#write({ ...kept, [key]: { ...own, [effect]: [...own[effect], text] } });
  }

  /** Every kept rule. */
  list(): readonly ({ readonly workspace: string } & AddedRule)[] {
    return Object.entries(this.#read()).flatMap(([workspace, own]) =>
      (['allow', 'deny'] as const).flatMap((effect) => own[effect].map((text) => ({ workspace, effect, text }))),
    );
  }

  /** Removes a kept rule; false: there was none. */
  drop(workspace: string, { effect, text }: AddedRule): boolean {
    const kept = this.#read();
    const own = kept[workspace];
    if (own === undefined || !own[effect].includes(text)) return false;
    this.#write({ ...kept, [workspace]: { ...own, [effect]: own[effect].filter((each) => each !== text) } });
    return true;
  }

  /**
   * An agent may never change what the gate itself relies on. Not applied to command lines: with a denial about files,
   * no rule could allow any command line.
   */
  #ownRules(): readonly Rule[] {
    const folder = realOfWorkspace(this.#parts.state);
    return parseRules({ deny: OWN_FILES.map((name) => noWriting(path.join(folder, name))) }).rules;
  }

  #rulesOf(session: Session): readonly Rule[] {
    const {
      spec,
      gate: { rules },
    } = session;
    const added = (effect: AddedRule['effect']): string[] =>
      rules.filter((rule) => rule.effect === effect).map(({ text }) => text);
    const kept = this.#read()[realOfWorkspace(spec.workspace)] ?? {};
    const texts = [
      this.#parts.config(),
      kept,
      spec.conversation?.gate?.rules ?? {},
      { allow: added('allow'), deny: added('deny') },
    ];
    // They were checked on input; an invalid one allows nothing.
    return texts.flatMap((each) => parseRules(each).rules);
  }

  #read(): Kept {
    this.#kept ??= readKept(this.#file());
    return this.#kept;
  }

  #write(kept: Kept): void {
    writeDurably(this.#file(), JSON.stringify(kept, null, 2));
    this.#kept = kept;
  }

  #file(): string {
    return path.join(this.#parts.state, 'rules.json');
  }
}

function realOfWorkspace(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch {
    return workspace; // It is gone: nothing was kept for it.
  }
}

/** A file that cannot be read must not make the gate forget a denial: then nothing gated can be started. */
function readKept(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return {};
    throw new OutlastError('state_unusable', `cannot read the rules in ${file}: ${causeText(cause)}`, { cause });
  }
}
