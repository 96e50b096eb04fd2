/**
 * Winnowing inside Elasticsearch, by the scheme of wherefrom's client: the same tokens give the same terms.
 *
 * <p>The scheme is written here a second time, in Java. {@code tests/analyzers/golden.json} holds both to it.
 */
package wherefrom.elasticsearch;
