import { stageNames } from '../exchange.ts'
import type { Answer } from '../response/answer.ts'
import type { Soon } from '../store/soon.ts'
import type { Call } from './call.ts'

/** Does one thing for a call: at once, or by the time that the promise is kept. */
export type Stage = (call: Call) => Soon<void>

/** Runs stages in order, and makes no promise until one of them has to wait. */
export function createRunner(stages: readonly Stage[]): (call: Call) => Soon<Answer> {
  /** Goes on until a stage has to wait, or to the end. */
  const goOn = (call: Call): Soon<void> => {
    while (call.stagesBegun < stages.length) {
      const waiting = stages[call.stagesBegun++]?.(call)
      if (waiting) return waiting
    }
  }

  const answerLater = async (call: Call, waiting: Promise<void>): Promise<Answer> => {
    try {
      for (let next: Soon<void> = waiting; next; next = goOn(call)) await next
      return call.answer
    } finally {
      // Only a call that waits holds memory, so that this is the one place to give it back. What it shows is held until it is sent.
      if (call.hold !== call.exchange.hold) call.hold?.release()
    }
  }

  return (call) => {
    const waiting = goOn(call)
    return waiting ? answerLater(call, waiting) : call.answer
  }
}

/** Stages by the name under which Server-Timing shows how long they took → the same in order, each time taken at its end. */
export const timed = (path: Readonly<Record<(typeof stageNames)[number], readonly Stage[]>>): readonly Stage[] =>
  stageNames.flatMap((name) => [...path[name], takeTime])

const takeTime = ({ exchange }: Call): void => exchange.mark()
