import { expect, test } from 'bun:test'
import { progressOn } from '../../src/cli/progress.ts'

function written(isTTY: boolean): { texts: string[]; progress: ReturnType<typeof progressOn> } {
  const texts: string[] = []
  const write = (text: string | Uint8Array) => texts.push(String(text)) > 0
  return { texts, progress: progressOn({ isTTY, write }) }
}

test('on a terminal it is one line that is drawn over, and gone in the end', () => {
  const { texts, progress } = written(true)
  progress.show('copied project', 500, 1000)
  progress.show('copied project', 1000, 1000)
  progress.end()
  expect(texts).toEqual([
    '\r\x1b[2K████████████░░░░░░░░░░░░  50 %  copied project  500 rows',
    '\r\x1b[2K████████████████████████ 100 %  copied project  1,000 rows',
    '\r\x1b[2K',
  ])
})

test('it is drawn a few times a second, however often it is told', () => {
  const { texts, progress } = written(true)
  for (let done = 0; done < 1000; done += 1) progress.show('copied project', done, 1000)
  expect(texts.length).toBeLessThan(500)
})

test('elsewhere it is a line for each stage that was completed', () => {
  const { texts, progress } = written(false)
  progress.show('copied bid', 1, 1)
  progress.show('copied project', 1000, 1_000_000)
  progress.show('copied project', 1_000_000, 1_000_000)
  progress.end()
  expect(texts).toEqual(['copied bid: 1 row\n', 'copied project: 1,000,000 rows\n'])
})
