/** Shows the progress of long work: a progress bar on a terminal, otherwise one line per stage. */
export interface Progress {
  show(stage: string, done: number, total: number): void
  end(): void
}

const barWidth = 24
const drawnEveryMs = 100

export const silent: Progress = { show: () => {}, end: () => {} }

export function progressOn(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Progress {
  return stream.isTTY ? bar(stream) : lines(stream)
}

function bar(stream: Pick<NodeJS.WriteStream, 'write'>): Progress {
  let drawnAt = 0
  return {
    show: (stage, done, total) => {
      const now = performance.now()
      if (now - drawnAt < drawnEveryMs && done < total) return
      drawnAt = now
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const filled = Math.round(share * barWidth)
      const drawn = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
      stream.write(`\r\x1b[2K${drawn} ${String(Math.floor(share * 100)).padStart(3)} %  ${stage}  ${counted(done)}`)
    },
    end: () => stream.write('\r\x1b[2K'),
  }
}

function lines(stream: Pick<NodeJS.WriteStream, 'write'>): Progress {
  let last = ''
  return {
    show: (stage, done, total) => {
      if (done < total || stage === last) return
      last = stage
      stream.write(`${stage}: ${counted(total)}\n`)
    },
    end: () => {},
  }
}

/** 1,000,000 rows */
export const counted = (rows: number): string => `${rows.toLocaleString('en-US')} row${rows === 1 ? '' : 's'}`
