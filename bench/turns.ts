/** Runs everyone once per round, in a changing order, so that nobody always follows the same other one. */
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
