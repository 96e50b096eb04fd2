<?php

class KiteStore
{
    public function find($id)
    {
        $stmt = $this->pdo->prepare('SELECT * FROM kites WHERE id = :id');
        $stmt->bindParam(':id', $id, PDO::PARAM_INT);
        $stmt->execute();
        return $stmt->fetch(PDO::FETCH_ASSOC);
    }

    public function insert($color, $length)
    {
        $stmt = $this->pdo->prepare('INSERT INTO kites (color, length) VALUES (:color, :length)');
        $stmt->execute([':color' => $color, ':length' => $length]);
        return $this->pdo->lastInsertId();
    }

    public function delete($id)
    {
        $stmt = $this->pdo->prepare('DELETE FROM kites WHERE id = ?');
        return $stmt->execute([$id]);
    }
}
