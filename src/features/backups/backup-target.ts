/** Where backups are kept. */
export interface BackupTarget {
  /** The names of the files. */
  list(): Promise<string[]>
  /** Stores a file under a name. It appears once it is whole. */
  put(name: string, file: string): Promise<void>
  delete(name: string): Promise<void>
}
