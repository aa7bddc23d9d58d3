/** The size of the reserved pool, part of `connectionsMax`. */
export const reservedConnections = (connectionsMax: number): number => Math.min(2, Math.floor(connectionsMax / 2))

/** The size of the unprepared pool, in addition to `connectionsMax`. */
export const unpreparedConnections = (connectionsMax: number): number => Math.min(3, connectionsMax)

/** The size of the background pool, in addition to `connectionsMax`: one that takes long leaves the other to new events. */
export const backgroundConnections = 2

/** Of one of several workers, which share `connectionsMax`. */
export const workerConnections = (connectionsMax: number, workers: number): number =>
  Math.max(1, Math.floor(connectionsMax / workers))

/** Of the process that supervises workers. */
export const supervisorConnections = 1

/** All that one instance opens: the pools of its processes, and in those that serve, one connection for live streams. */
export function instanceConnections(connectionsMax: number, workers: number): number {
  const pools = (size: number): number => size + unpreparedConnections(size) + backgroundConnections
  if (workers === 1) return pools(connectionsMax) + 1
  return workers * (pools(workerConnections(connectionsMax, workers)) + 1) + pools(supervisorConnections)
}
