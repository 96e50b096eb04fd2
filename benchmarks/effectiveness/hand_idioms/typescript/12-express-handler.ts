import { NextFunction, Request, Response } from 'express';
import { AnchorageService } from '../services/anchorage.service';

const service = new AnchorageService();

export const getAnchorage = async (req: Request, res: Response, next: NextFunction): Promise<void> => {
  try {
    const anchorage = await service.findById(req.params.id);
    if (!anchorage) {
      res.status(404).json({ message: 'Anchorage not found' });
      return;
    }
    res.status(200).json(anchorage);
  } catch (error) {
    next(error);
  }
};
