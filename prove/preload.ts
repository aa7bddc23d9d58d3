import { brokenSource, currentSabotage } from './sabotage.ts'

const sabotage = currentSabotage()
if (sabotage) {
  Bun.plugin({
    name: 'sabotage',
    setup: (build) => {
      const filter = new RegExp(`^${RegExp.escape(sabotage.path)}$`)
      build.onLoad({ filter }, () => ({ contents: brokenSource(sabotage), loader: 'ts' }))
    },
  })
}
