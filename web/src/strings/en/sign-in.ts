export const strings = {
  title: 'Sign in',
  tagline: 'Your companies, theses and deals in one place.',
  signIn: 'Sign in',
  otherAccount: 'Use another account',
  notSetUp:
    'Signing in is not set up here. Whoever runs this service can connect an identity provider (IDP_ISSUER) or an access gateway.',
  providerDown:
    'The identity provider does not answer at the moment. Signing in may not work; try again soon.',
  developmentTitle: 'Development: choose who you are',
  developmentExplained:
    'Nothing is checked here. In production people sign in through the identity provider instead.',
  knownUsers: 'People who were here before',
  otherEmail: 'Another e-mail address',
  newEmail: 'Your e-mail address',
  newEmailExample: 'ada@example.com',
  go: 'Go on',
}
