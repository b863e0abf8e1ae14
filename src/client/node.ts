// `import` of a built-in module reads every one of its getters; for node:http that loads undici, 30 ms.
// getBuiltinModule costs a third or less, and the command line must start in the time Node takes to start.

export const fs = process.getBuiltinModule('node:fs');
export const net = process.getBuiltinModule('node:net');
export const path = process.getBuiltinModule('node:path');
