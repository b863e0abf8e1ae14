/** Words that need no answer, in several languages. */
const WORDS = new Set(
  [
    'ok okay okey k kk yes yep yeah yup no nope sure fine good great nice cool perfect excellent awesome noted thanks',
    'thank you thx ty tx cheers got it understood roger done bye goodbye lgtm np',
    'danke vielen dank gut super prima ja nein alles klar passt verstanden',
    'merci beaucoup oui non parfait compris entendu bien',
    'gracias si sí vale perfecto entendido bueno de acuerdo',
    'grazie va bene capito perfetto obrigado obrigada tudo bem certo entendi sim não',
    'dank je bedankt goed prima begrepen tack tak bra takk dzięki dobrze',
    'спасибо ок да нет хорошо понятно понял отлично дякую так',
    'teşekkürler tamam evet hayır',
  ].flatMap((row) => row.split(' ')),
);

/** Languages without blanks: whole phrases. */
const SAYINGS = new Set(
  (
    '好 好的 谢谢 多谢 谢谢你 收到 明白 明白了 知道了 是 不 嗯 了解 ありがとう ありがとうございます はい いいえ ' +
    '了解です わかりました 네 예 아니요 감사합니다 고마워 고마워요 알겠습니다 شكرا نعم لا حسنا धन्यवाद ठीक है'
  ).split(' '),
);

/** Words that tell an agent that asked to go ahead. */
const YES = new Set(
  (
    'ok okay okey k kk yes yep yeah yup sure fine ja oui si sí vale va bene sim goed ок да хорошо так evet tamam ' +
    '好 好的 是 嗯 はい 네 예 نعم حسنا'
  ).split(' '),
);

const WORDS_MAX = 5;

/** A text that needs no answer: ok, thanks, a thumbs up, repeated and with any punctuation. */
export function isTrivial(text: string): boolean {
  const words = wordsOf(text);
  // A question needs an answer, however short it is.
  if (words.includes('?')) return false;
  if (words === '') return true;
  const all = words.split(/\s+/);
  if (all.length > WORDS_MAX) return false;
  return all.every((word) => WORDS.has(word) || SAYINGS.has(word));
}

/** Does it say yes to the question before it? Then there is work to do. */
export function isGoAhead(text: string, before: string): boolean {
  if (!/[?？]\W*$/u.test(before)) return false;
  const words = wordsOf(text);
  return words === '' ? text.includes('👍') : words.split(/\s+/).every((word) => YES.has(word));
}

function wordsOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s?]+/gu, ' ')
    .trim();
}
