import { testUpgradesOf } from './upgrade-test.fixture.ts'

testUpgradesOf('81c1a4e')
