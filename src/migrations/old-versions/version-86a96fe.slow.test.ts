import { testUpgradesOf } from './upgrade-test.fixture.ts'

testUpgradesOf('86a96fe')
