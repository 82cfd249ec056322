/** The resources that one client has subscribed to. */
import type { ConversationRecord, FollowSubscription } from '../calls/conversation';
import { normalUri } from '../values/normal-uri';

/** A subscription that has begun and is not complete. */
interface Wish {
  readonly uri: string;
  isGivenUp: boolean;
}

/** One that is complete. */
interface ResourceSubscription {
  /** As the client has written it. */
  readonly uri: string;
  readonly giveBack: () => void;
}

/** Shared by all clients without any. */
const NONE: readonly never[] = [];

/** Created with the first subscription of a client, or with the first follower. A client without subscriptions has little in memory. */
export class ResourceSubscriptions {
  /** By the normal form of their URIs. */
  #subscribed: Map<string, ResourceSubscription> | undefined;
  /** Subscriptions that have begun and are not complete: whether they are allowed is being found out. */
  #wishes: readonly Wish[] = NONE;
  #followers: readonly FollowSubscription[] = NONE;
  #isOver = false;

  get uris(): readonly string[] {
    return [...(this.#subscribed?.values() ?? [])].map(({ uri }) => uri);
  }

  /** The part of a record that says what the client has subscribed to. */
  get record(): Pick<ConversationRecord, 'subscribed' | 'spelled'> {
    const all = [...(this.#subscribed ?? [])];
    const spelled = all.filter(([key, { uri }]) => key !== uri).map(([key, { uri }]) => [key, uri] as const);
    const subscribed = all.map(([key]) => key);
    return spelled.length === 0 ? { subscribed } : { subscribed, spelled: Object.fromEntries(spelled) };
  }

  /** The URI as its client has written it; undefined without a subscription. */
  find(uri: string): string | undefined {
    return this.#subscribed?.get(normalUri(uri))?.uri;
  }

  /** Begins a subscription, as `LastingConversation.subscribe` does; `begun` is called if it is completed. */
  begin(uri: string, giveBack: () => void, begun: () => void): (isAllowed: boolean) => void {
    const wish: Wish = { uri, isGivenUp: false };
    this.#wishes = [...this.#wishes, wish];
    return (isAllowed) => {
      this.#wishes = this.#wishes.filter((other) => other !== wish);
      const begins = isAllowed && !wish.isGivenUp && !this.#isOver && this.find(uri) === undefined;
      if (!begins) return giveBack();
      this.#add(normalUri(uri), { uri, giveBack });
      begun();
    };
  }

  /** Has these and no others, as another process says. @param adopt counts one that is new, and returns what gives its room back */
  replace(
    { subscribed, spelled = {} }: Pick<ConversationRecord, 'subscribed' | 'spelled'>,
    adopt: (uri: string) => () => void,
  ): void {
    const stay = new Set(subscribed);
    for (const key of [...(this.#subscribed?.keys() ?? [])]) if (!stay.has(key)) this.#end(key);
    for (const key of subscribed) {
      if (this.#subscribed?.has(key)) continue;
      const uri = (Object.hasOwn(spelled, key) && spelled[key]) || key;
      this.#add(key, { uri, giveBack: adopt(uri) });
    }
  }

  /** Adds a subscription that is allowed, and not there yet. */
  #add(key: string, subscription: ResourceSubscription): void {
    (this.#subscribed ??= new Map<string, ResourceSubscription>()).set(key, subscription);
    this.#tell(subscription.uri, true);
  }

  /** Ends a subscription that is complete; does nothing if there is no such subscription. */
  delete(uri: string): void {
    this.#end(normalUri(uri));
  }

  #end(key: string): void {
    const subscription = this.#subscribed?.get(key);
    if (!subscription) return;
    this.#subscribed?.delete(key);
    subscription.giveBack();
    this.#tell(subscription.uri, false);
  }

  /** Gives up subscriptions that are not complete. */
  giveUp(uri: string): void {
    const key = normalUri(uri);
    for (const wish of this.#wishes) wish.isGivenUp ||= normalUri(wish.uri) === key;
  }

  /** Reports each subscription, and each change of them. Returns a function that stops it. */
  follow(follower: FollowSubscription): () => void {
    this.#followers = [...this.#followers, follower];
    for (const uri of this.uris) follower(uri, true);
    return () => {
      this.#followers = this.#followers.filter((other) => other !== follower);
    };
  }

  /** Ends all of them: no other begins. */
  end(): void {
    this.#isOver = true;
    for (const key of [...(this.#subscribed?.keys() ?? [])]) this.#end(key);
  }

  #tell(uri: string, isSubscribed: boolean): void {
    for (const follower of this.#followers) follower(uri, isSubscribed);
  }
}
