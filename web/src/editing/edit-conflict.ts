import { strings } from '#strings/editable-field.ts'
import { UserFacingError } from '#web/api/error-message.ts'

/** Someone else changed the value that is being saved. */
export class EditConflict extends UserFacingError {
  /** The current value, in the form that the editor uses. */
  readonly remote: string

  constructor(remote: string) {
    super(strings.conflictTitle)
    this.name = 'EditConflict'
    this.remote = remote
  }
}
