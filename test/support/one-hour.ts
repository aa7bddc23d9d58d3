const hourMs = 3_600_000
const spareMs = 30_000

/** Requests are counted by the hour: ones that belong together wait for the next hour if this one is about to end. */
export const withinOneHour = async (): Promise<void> => {
  const leftMs = hourMs - (Date.now() % hourMs)
  if (leftMs < spareMs) await Bun.sleep(leftMs + 1)
}
