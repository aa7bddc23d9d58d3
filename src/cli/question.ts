/** A request to another process, whose answer comes as a message. */
export interface Question<Answer> {
  /** Calls share one answer while it is pending. */
  ask(send: () => unknown): Promise<Answer>
  answer(answer: Answer): void
}

export function createQuestion<Answer>(timeoutMs: number, unanswered: Answer): Question<Answer> {
  let pending: PromiseWithResolvers<Answer> | null = null
  const answer = (given: Answer): void => {
    pending?.resolve(given)
    pending = null
  }
  return {
    ask: (send) => {
      if (pending) return pending.promise
      pending = Promise.withResolvers<Answer>()
      const timer = setTimeout(() => answer(unanswered), timeoutMs)
      void pending.promise.then(() => clearTimeout(timer))
      const { promise } = pending
      send()
      return promise
    },
    answer,
  }
}
