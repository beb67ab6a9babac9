export { armsNamed, LOCAL_ARMS, PUBLISHED_ARMS } from './arms';
