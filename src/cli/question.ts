/** A question to another process, whose answer comes as a message. */
export interface Question<Answer> {
  /** All who ask while an answer is under way get the same. */
  ask(send: () => unknown): Promise<Answer>
  answer(answer: Answer): void
}

export function createQuestion<Answer>(timeoutMs: number, unanswered: Answer): Question<Answer> {
  let asked: PromiseWithResolvers<Answer> | null = null
  const answer = (given: Answer): void => {
    asked?.resolve(given)
    asked = null
  }
  return {
    ask: (send) => {
      if (asked) return asked.promise
      asked = Promise.withResolvers<Answer>()
      const timer = setTimeout(() => answer(unanswered), timeoutMs)
      void asked.promise.then(() => clearTimeout(timer))
      const { promise } = asked
      send()
      return promise
    },
    answer,
  }
}
