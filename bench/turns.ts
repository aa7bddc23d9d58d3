/** In each round everybody once. Who comes first changes, so that nobody always meets the state that another leaves. */
export async function takeTurns<Player, Result>(
  players: readonly Player[],
  rounds: number,
  measure: (player: Player) => Promise<Result>,
): Promise<Result[][]> {
  const turns: Result[][] = []
  for (let round = 0; round < rounds; round += 1) {
    const turn: Result[] = []
    for (let step = 0; step < players.length; step += 1) {
      const at = (round + step) % players.length
      turn[at] = await measure(players[at] as Player)
    }
    turns.push(turn)
  }
  return turns
}
