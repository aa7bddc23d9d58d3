/** `0.83` → "0.83 ms", `120` → "120 ms", `1234.5` → "1.23 s" */
export const msText = (ms: number): string =>
  ms < 1000 ? `${ms < 10 ? Number(ms.toFixed(2)) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`
