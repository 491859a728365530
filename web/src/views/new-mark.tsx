import { strings } from '#strings/views.ts'
import classes from './views.module.css'

/** Beside a record that has entered the view since the user last looked. */
export const NewMark = () => (
  <span className={classes.newMark} role="img" aria-label={strings.isNew} title={strings.isNew} />
)
