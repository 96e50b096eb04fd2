#!/bin/sh
set -e

IMAGE_NAME="ferries"
CONTAINER_NAME="ferries-web"
TAG="${1:-latest}"

echo "Building image..."
docker build -t "$IMAGE_NAME:$TAG" .

if [ "$(docker ps -aq -f name=$CONTAINER_NAME)" ]; then
    docker stop "$CONTAINER_NAME"
    docker rm "$CONTAINER_NAME"
fi

docker run -d --name "$CONTAINER_NAME" -p 8080:8080 --restart always "$IMAGE_NAME:$TAG"
echo "Done."
