export const strings = {
  title: 'Sign in',
  tagline: 'Your companies, theses, and deals in one place.',
  signIn: 'Sign in',
  otherAccount: 'Use another account',
  notSetUp:
    'Sign-in is not configured. An administrator can connect an identity provider (IDP_ISSUER) or an access gateway.',
  providerDown: 'The identity provider is not responding. If you cannot sign in, try again soon.',
  developmentTitle: 'Development sign-in',
  developmentHelp: 'Nothing is verified here. In production, people sign in through the identity provider.',
  existingUsers: 'Existing users',
  otherEmail: 'Another email address',
  email: 'Email address',
  emailPlaceholder: 'ada@example.com',
  submit: 'Continue',
}
