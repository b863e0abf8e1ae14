import type { Refusal, RefusalReason } from '../model-proxy.ts';

/** How the API of Gemini refuses. It has no answer of its own for missing credit. */
export function geminiRefusal(reason: RefusalReason): Refusal {
  switch (reason.is) {
    case 'limited':
      return error(429, 'RESOURCE_EXHAUSTED', 'You have exhausted your daily quota on this model.');
    case 'login':
      return error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    case 'billing':
      return error(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.');
    case 'too-long':
      return error(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1234567) exceeds the maximum number of tokens allowed (1048576).',
      );
    case 'poisoned':
    case 'invalid':
      return error(400, 'INVALID_ARGUMENT', 'contents: at least one is odd');
  }
}

function error(code: number, status: string, message: string): Refusal {
  return { status: code, body: { error: { code, message, status } } };
}
