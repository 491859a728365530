/** The contract, statement by statement, tested by a client written from the contract alone. */
import './contract/scenarios.ts'
import './contract/company-fields.ts'
import './contract/companies.ts'
import './contract/company-detail.ts'
import './contract/semantic-search.ts'
import './contract/theses.ts'
import './contract/dealflow.ts'
import './contract/activity.ts'
import './contract/stats.ts'
import './contract/bulk-actions.ts'
import './contract/bulk-action-states.ts'
import './contract/users.ts'
import './contract/feedback.ts'
import './contract/sign-in.ts'
import './contract/identification.ts'
import './contract/security-properties.ts'
import './contract/errors.ts'
import './contract/limits.ts'
import './contract/empty-values.ts'
import './contract/write-back.ts'
import './contract/words.ts'
import './contract/lists.ts'
import './contract/references.ts'
import { after, before } from 'node:test'
import { overwriteFile } from './contract/assets.ts'
import { startServices, stopServices } from './contract/services.ts'

// On the database of testServer: PostgreSQL if TEST_DATABASE_URL is set, else the embedded one.
before(async () => {
  await startServices()
  await overwriteFile()
})
after(stopServices)
