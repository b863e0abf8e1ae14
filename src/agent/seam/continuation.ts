import type { OpenCall } from '../../core/session.ts';

/** The text for an agent whose conversation is resumed. */
interface Words {
  /** Words whose frequency identifies the language. */
  readonly signs: RegExp;
  /** Without `needs`, or with `never`, it is another language. */
  readonly needs?: RegExp;
  readonly never?: RegExp;
  readonly from: string;
  readonly uncertain: string;
  readonly look: string;
}

/** How much of a request is used to identify its language. */
const ASKED_CHARS_MAX = 2_000;
const INPUT_CHARS_MAX = 300;

/** Chinese has none of these characters, and Japanese always some. */
const KANA = /[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]/u;

const ENGLISH: Words = {
  signs: anyOf('the and is to of in please with for that this it you can fix'),
  from:
    '[Outlast, which restarted you, says this; no person typed it.] ' + 'You were interrupted before you had finished.',
  uncertain: 'It is not known what became of these tool calls, which were running:',
  look:
    'Check what is already done before you repeat anything that has an effect; then continue where you ' +
    'left off, in the language of this conversation.',
};

const OTHERS: readonly Words[] = [
  {
    signs: anyOf('und der die das ist nicht bitte mit ein eine für auf den dem ich du wir'),
    from:
      '[Das sagt Outlast, das dich neu gestartet hat; kein Mensch hat es getippt.] Du wurdest ' +
      'unterbrochen, bevor du fertig warst.',
    uncertain: 'Niemand weiß, was aus diesen laufenden Werkzeugaufrufen geworden ist:',
    look:
      'Prüfe zuerst, was schon getan ist, bevor du etwas mit einer Wirkung wiederholst; dann mach dort ' +
      'weiter, wo du warst.',
  },
  {
    signs: anyOf('le la les et est pas une des pour dans avec que qui sur vous je du'),
    from:
      '[Ceci vient d’Outlast, qui vous a relancé ; personne ne l’a tapé.] Vous avez été interrompu avant ' +
      'd’avoir terminé.',
    uncertain: 'Nul ne sait ce que sont devenus ces appels d’outils, qui étaient en cours :',
    look:
      'Vérifiez ce qui est déjà fait avant de répéter quoi que ce soit qui a un effet ; puis continuez là ' +
      'où vous en étiez.',
  },
  {
    signs: anyOf('el los las una por para con que qué del está pero como cómo más favor este esta'),
    from: '[Esto lo dice Outlast, que te ha reiniciado; nadie lo ha escrito.] Te interrumpieron antes de terminar.',
    uncertain: 'Nadie sabe qué fue de estas llamadas a herramientas, que estaban en curso:',
    look: 'Comprueba lo que ya está hecho antes de repetir algo que tenga efecto; luego continúa donde lo dejaste.',
  },
  {
    // Not `do`, `no` and `as`: they are also English, and shell keywords.
    signs: anyOf('os um uma por para com que dos das está mas como mais favor não você só isso sem'),
    from:
      '[Quem diz isto é o Outlast, que reiniciou você; ninguém o digitou.] Você foi interrompido antes de ' +
      'terminar.',
    uncertain: 'Ninguém sabe o que aconteceu com estas chamadas de ferramentas, que estavam em andamento:',
    look: 'Verifique o que já está feito antes de repetir algo que tenha efeito; depois continue de onde parou.',
  },
  {
    signs: /[а-яё]{2,}/giu,
    from:
      '[Это сообщение Outlast, который перезапустил тебя; человек его не писал.] Тебя прервали, прежде чем ' +
      'ты закончил.',
    uncertain: 'Никто не знает, чем кончились эти вызовы инструментов, которые выполнялись:',
    look:
      'Проверь, что уже сделано, прежде чем повторять то, что имеет последствия; ' + 'затем продолжай с того же места.',
  },
  {
    signs: /[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d\u4e00-\u9fff]/gu,
    needs: KANA,
    from: '[これは、あなたを再起動した Outlast からの連絡です。人が入力したものではありません。] 完了する前に中断されました。',
    uncertain: '実行中だった次のツール呼び出しがどうなったかは、誰にも分かりません:',
    look: '影響のあることを繰り返す前に、すでに済んでいることを確認し、その続きから進めてください。',
  },
  {
    signs: /[\u4e00-\u9fff]/gu,
    never: KANA,
    from: '[此消息来自重新启动你的 Outlast，并非由人输入。] 你在完成之前被中断了。',
    uncertain: '没有人知道以下正在运行的工具调用结果如何：',
    look: '在重复任何有影响的操作之前，请先检查哪些已经完成；然后从中断处继续。',
  },
];

/** What an interrupted agent is told, in the language of its request: who writes, what is unknown, and what to do. */
export function continuationOf(asked: string, open: readonly OpenCall[]): string {
  const words = wordsOf(asked);
  const calls = open.map(({ tool, input }) => `- ${tool} ${(input ?? '').slice(0, INPUT_CHARS_MAX)}`.trimEnd());
  return [words.from, ...(calls.length === 0 ? [] : [words.uncertain, ...calls]), words.look].join('\n');
}

/** The language with the most matches; English if there are none, or in a tie. */
function wordsOf(text: string): Words {
  // Code and file names are English in every language.
  const said = text.slice(0, ASKED_CHARS_MAX).replaceAll(/`[^`]*`|\S*[/_.]\S*\w/gu, ' ');
  const isIt = ({ needs, never }: Words): boolean => needs?.test(said) !== false && never?.test(said) !== true;
  const count = (words: Words): number => (isIt(words) ? (said.match(words.signs)?.length ?? 0) : 0);
  return OTHERS.reduce((best, one) => (count(one) > count(best) ? one : best), ENGLISH);
}

/** Matches whole words, including those that end in an accented letter. */
function anyOf(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.replaceAll(' ', '|')})(?!\\p{L})`, 'giu');
}
