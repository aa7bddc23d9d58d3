import { findProgram } from './debian.ts'

let found: string | null = null

/** A Python that has requests. */
export function findPython(): string {
  found ??= findProgram(search, 'python3-requests', 'The examples in Python need a python3 with requests')
  return found
}

const search = (): string | null =>
  ['/usr/bin/python3', Bun.which('python3')].find((path): path is string => path !== null && hasRequests(path)) ?? null

function hasRequests(python: string): boolean {
  try {
    return Bun.spawnSync([python, '-c', 'import requests']).exitCode === 0
  } catch {
    return false
  }
}
