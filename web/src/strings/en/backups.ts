/** Text for backups. */
export const strings = {
  title: 'Backups',
  notPermitted: 'You need permission to make backups. Only admins have it.',
  download: 'Download a backup',
  contents:
    'A backup contains everything, private notes included. Restore it with npm run cli -- restore FILE, into an empty database.',
  due: 'Due',
  state: 'State',
  states: { running: 'Running', completed: 'Completed', failed: 'Failed' },
  file: 'File',
  size: 'Size',
  content: 'Content',
  rowsAndFiles: (rows: string, files: string) => `${rows} rows, ${files} files`,
  megabytes: (size: string) => `${size} MB`,
  retried: (error: string) => `${error} It is tried again after 15 minutes.`,
  empty: 'No scheduled backups',
  emptyHelp:
    'The settings BACKUP_SCHEDULE and BACKUP_TARGET make one every day, check it, and keep 7 daily, 4 weekly, and 12 monthly ones.',
}
