<?php

namespace App\Service;

final class GreenhouseService
{
    private GreenhouseRepository $repository;
    private LoggerInterface $logger;

    public function __construct(GreenhouseRepository $repository, LoggerInterface $logger)
    {
        $this->repository = $repository;
        $this->logger = $logger;
    }

    public function remove(int $id): void
    {
        try {
            $this->repository->remove($id);
        } catch (\Exception $e) {
            $this->logger->error($e->getMessage());
        }
    }
}
