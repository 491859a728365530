/** What is being saved has been changed by somebody else since it was shown. */
export class ChangedMeanwhile extends Error {
  /** The value as it is now, as the editor has it. */
  readonly theirs: string

  constructor(theirs: string) {
    super('Changed by somebody else meanwhile.')
    this.name = 'ChangedMeanwhile'
    this.theirs = theirs
  }
}
