import { expect, test } from 'vitest';
import { continuationOf } from './continuation.ts';

test.each([
  ['please fix the failing tests in src/app.ts', 'You were interrupted'],
  ['bitte mach die Tests in src/app.ts wieder grün, das ist wichtig', 'Du wurdest unterbrochen'],
  ['corrige les tests qui échouent dans le dossier, et pas les autres', 'Vous avez été interrompu'],
  ['arregla los tests que fallan en el proyecto, por favor', 'Te interrumpieron'],
  ['исправь падающие тесты', 'Тебя прервали'],
  ['テストを直してください', '中断されました'],
  ['請修正失敗測試、設定確認後再実行して', '中断されました'],
  ['全部の失敗原因調査結果報告', '中断されました'],
  ['请修复失败的测试', '你在完成之前被中断了'],
  ['corrija os testes que falham no projeto, por favor', 'Você foi interrompido'],
  ['não mude nada, só me diga como está', 'Você foi interrompido'],
  ['¿cómo está el proyecto? dime qué falta por hacer', 'Te interrumpieron'],
  ['npm run build && ./deploy.sh', 'You were interrupted'],
  ['until [ -e x ]; do sleep 1; done', 'You were interrupted'],
  ['', 'You were interrupted'],
])('the continuation of %s is in the same language', (prompt, words) => {
  expect(continuationOf(prompt, [])).toContain(words);
});

test('the text says who sent it, and shortens the tool calls whose result is unknown', () => {
  const text = continuationOf('fix it', [{ id: '1', tool: 'Bash', input: `{"command":"${'x'.repeat(5_000)}"}` }]);
  expect(text).toContain('Outlast, which restarted you, says this; no person typed it.');
  expect(text).toContain('- Bash {"command":"xxx');
  expect(text.length).toBeLessThan(1_000);
});
