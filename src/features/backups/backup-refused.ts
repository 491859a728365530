/** A backup cannot be made, read, or restored. The message is a full sentence that says what to do. */
export class BackupRefused extends Error {}
