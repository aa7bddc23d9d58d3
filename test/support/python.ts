import { which } from 'bun'

let found: string | null = null

/** A Python that has requests. As root on Debian it is installed where it is missing. */
export function findPython(): string {
  found ??= search() ?? installed()
  return found
}

const search = (): string | null =>
  ['/usr/bin/python3', which('python3')].find((path): path is string => path !== null && hasRequests(path)) ?? null

function hasRequests(python: string): boolean {
  try {
    return Bun.spawnSync([python, '-c', 'import requests']).exitCode === 0
  } catch {
    return false
  }
}

function installed(): string {
  if (process.getuid?.() === 0 && which('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    Bun.spawnSync(['apt-get', 'update'], { env })
    Bun.spawnSync(['apt-get', 'install', '-y', 'python3-requests'], { env })
  }
  const python = search()
  if (python === null)
    throw new Error('There is no python3 with requests. Install python3-requests, or run "pip install requests".')
  return python
}
