/** What a sound file holds. */
export interface FileReport {
  readonly bytes: number
  /** The last step of the schema that it has. */
  readonly migration: number
  readonly rows: Readonly<Record<string, number>>
}

export interface Restored extends FileReport {
  /** The step of the schema that the backup had. */
  readonly migratedFrom: number
  /** Where the file that was there before is now. */
  readonly kept: string | null
  /** Whether it is certain that nobody had that file open: of a file too damaged to read, it is not. */
  readonly isCertain: boolean
}
